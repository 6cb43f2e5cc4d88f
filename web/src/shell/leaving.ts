// What only this tab holds is gone once the tab leaves, so the browser asks first if there is any.

type Held = () => boolean

const held: Held[] = []

/** From now on the browser asks before it leaves the page while `isHeld` says that something would be lost. */
export const askBeforeLosing = (isHeld: Held): void => {
  held.push(isHeld)
}

export const guardAgainstLoss = (): void => {
  addEventListener('beforeunload', event => {
    if (held.some(isHeld => isHeld())) event.preventDefault()
  })
  // A file dropped where nothing takes it would open in place of the page.
  addEventListener('dragover', refuseFile)
  addEventListener('drop', refuseFile)
}

const refuseFile = (event: DragEvent): void => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
