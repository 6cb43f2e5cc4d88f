import type { WriteStream } from 'node:tty'

export type Progress = {
  sent: (share: number) => void
  waiting: () => void
  asked: (share: number) => void
  end: () => void
}

const WIDEST_BAR = 30
/** What stands beside a bar. */
const BESIDE = 'uploading  100%'.length
const REDRAW_MS = 100
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** A bar that fills while examples are uploaded, then a clock while they are scored and fitted; or a bar of decisions. */
export const progressOn = (
  terminal: Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number },
): Progress => {
  let timer: NodeJS.Timeout | undefined
  let last = ''
  let ended = false
  const draw = (line: string): void => {
    if (ended) return
    if (terminal.isTTY) terminal.write(`\r\u001b[2K${line}`)
    // A log gets one line per phase instead of a moving line.
    else if (line.split(' ')[0] !== last.split(' ')[0]) terminal.write(`${line}\n`)
    last = line
  }
  const bar = (share: number): string => {
    // A line that wraps cannot be drawn over.
    const room = Math.max(0, (terminal.columns || Number.POSITIVE_INFINITY) - BESIDE)
    const width = Math.min(WIDEST_BAR, room)
    const filled = Math.round(width * share)
    return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
  }
  return {
    sent: share => draw(`uploading ${bar(share)} ${Math.round(100 * share)}%`),
    waiting: () => {
      if (ended) return
      const start = performance.now()
      const tick = (): void => {
        const elapsed = performance.now() - start
        const frame = FRAMES[Math.floor(elapsed / REDRAW_MS) % FRAMES.length]
        draw(`scoring and fitting ${terminal.isTTY ? `${frame} ${(elapsed / 1_000).toFixed(1)} s` : '…'}`)
      }
      tick()
      timer = setInterval(tick, REDRAW_MS)
    },
    asked: share => draw(`deciding ${bar(share)} ${Math.round(100 * share)}%`),
    end: () => {
      ended = true
      clearInterval(timer)
      if (terminal.isTTY) terminal.write('\r\u001b[2K')
    },
  }
}
