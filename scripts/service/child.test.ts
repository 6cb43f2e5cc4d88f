import { expect, it, onTestFinished, vi } from 'vitest'
import type { Child } from './child.ts'
import { startSource } from './testing.ts'

const said = (child: Child, line: string) =>
  vi.waitFor(() => expect(child.lastLines()).toContain(line), { timeout: 30_000 })

it('what a process has started ends with it', async () => {
  const child = await startSource(`
    import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'inherit' })
    process.exit(3)`)
  // Not before everything that writes to its output has ended.
  expect(await child.ended).toBe('The edge ended with code 3')
})

it('the last lines that a process wrote are kept, without colours and empty ones', async () => {
  let output = ''
  const child = await startSource(
    "for (let line = 1; line <= 40; line++) console.error('\\u001b[31mline %d\\u001b[0m\\n \\n', line)",
    process.env,
    text => {
      output += text
    },
  )
  await child.ended
  expect(child.lastLines()).toEqual(Array.from({ length: 30 }, (_, index) => `line ${index + 11}`))
  expect(output).toMatch(/^line 1\n \n\nline 2\n/)
})

it('a process that stops when told to holds nothing up, and one that does not is killed', async () => {
  const wait = "console.log('ready'); setInterval(() => {}, 1_000)"
  const polite = await startSource(wait)
  const deaf = await startSource(`process.on('SIGTERM', () => console.log('told')); ${wait}`)
  await Promise.all([said(polite, 'ready'), said(deaf, 'ready')])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await polite.stop()
  expect([await polite.ended, vi.getTimerCount()]).toEqual(['The edge ended by SIGTERM', 0])
  const stopping = deaf.stop()
  await said(deaf, 'told')
  vi.runAllTimers()
  await stopping
  expect(await deaf.ended).toBe('The edge ended by SIGKILL')
})

it('a process that cannot be started says so, and is at rest', async () => {
  const child = await startSource('', { PATH: '' })
  expect(await child.ended).toBe('The edge could not be started: spawn sh ENOENT')
  await child.stop()
})
