/** Puts a text into the clipboard once it is there. Fails if the browser does not allow that. */
export const toClipboard = (text: Promise<string>): Promise<void> => {
  // Browsers offer the clipboard to pages loaded over HTTPS or from the same machine. Elsewhere, as in a local network,
  // there is only the older way.
  if (navigator.clipboard === undefined) return text.then(copyByCommand)
  const blob = text.then(ready => new Blob([ready], { type: 'text/plain' }))
  // A browser that refuses may leave it unhandled; whoever gave the text handles its failure.
  blob.catch(() => {})
  // Safari lets a page write only while it handles the click, so text that takes longer is passed as a promise.
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

/** Has the browser copy what is selected, and puts `text` in its place. */
const copyByCommand = (text: string): void => {
  const put = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    event.clipboardData?.setData('text/plain', text)
  }
  addEventListener('copy', put, { capture: true })
  const done = document.execCommand('copy')
  removeEventListener('copy', put, { capture: true })
  if (!done) throw new Error('not allowed')
}
