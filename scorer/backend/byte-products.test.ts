import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cutsByteProducts } from './byte-products.ts'

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'products of bytes are cut off on processors without the instructions that add them in 32 bits',
  async () => {
    const flags = /^flags.*$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[0] ?? ''
    expect(await cutsByteProducts()).toBe(!/ (avx512_vnni|avx_vnni|amx_int8)\b/.test(flags))
  },
)
