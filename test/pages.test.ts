import { expect, inject, it } from 'vitest'

const page = async (path: string): Promise<string> => (await fetch(inject('service').url + path)).text()

it('the pages include the licences of the packages built into them', async () => {
  const licences = await page('/licenses.md')
  for (const name of ['preact', 'uplot', '@codemirror/view', '@fontsource-variable/geist'])
    expect(licences).toContain(`\n## ${name} - `)
  expect(await page('/docs/scalar.js')).toMatch(/^\/\*!\nMIT License\n\nCopyright \(c\) [-\w]+ Scalar\n/)
})
