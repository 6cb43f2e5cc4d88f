import type { WriteStream } from 'node:tty'

export type Progress = {
  sent: (share: number) => void
  waiting: () => void
  asked: (share: number) => void
  end: () => void
}

const WIDTH = 30
const REDRAW_MS = 100
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** A bar that fills while examples are uploaded, then a clock while they are scored and fitted; or a bar of decisions. */
export const progressOn = (terminal: Pick<WriteStream, 'write'> & { isTTY?: boolean }): Progress => {
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

const bar = (share: number): string => {
  const filled = Math.round(WIDTH * share)
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
}
