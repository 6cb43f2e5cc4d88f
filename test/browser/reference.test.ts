import { describe, expect, inject, it } from 'vitest'
import { useBrowser } from './browser.ts'

// `useBrowser` also fails a test whose page broke its policy or made a request to another host.
const open = useBrowser()

describe('the reference at /docs', () => {
  it('shows the routes of the service’s own document, from this origin only', async () => {
    const { page, requests } = await open('/docs')
    await page.getByRole('heading', { name: 'Decider', exact: true }).waitFor()
    await page.getByText('Typed questions about a state.').first().waitFor()
    const text = (await page.locator('#reference').textContent()) ?? ''
    for (const path of ['/v1/decisions', '/v1/calibrations']) expect(text).toContain(path)
    expect(requests.map(({ url }) => new URL(url).pathname)).toContain('/openapi.json')
  })

  it('uses the name Models only for models, and links back to the playground', async () => {
    const { page } = await open('/docs')
    await page.getByText('Typed questions about a state.').first().waitFor()
    const sidebar = page.getByRole('complementary', { name: /^Sidebar/ })
    await sidebar.getByText('Schemas', { exact: true }).first().waitFor()
    expect(await sidebar.getByText('Models', { exact: true }).count()).toBe(1)
    await page.getByRole('link', { name: 'playground' }).click()
    await page.getByRole('heading', { level: 1, name: /^Ask a text/ }).waitFor()
  })

  it('runs no code except files from this origin', async () => {
    const response = await fetch(`${inject('service').url}/docs`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'self'")
    expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc="\/)/)
  })
})
