// The reference, rendered by Scalar from the document the service serves. Nothing is loaded from elsewhere.
import '@fontsource-variable/geist/wght.css'
import '@fontsource-variable/geist-mono/wght.css'
import './docs.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { Header } from '../shell/header.tsx'
import { followSystemTheme, theme } from '../shell/theme.ts'

declare global {
  interface Window {
    /** Loaded from its own file, which may be missing. */
    Scalar?: { createApiReference(element: string, configuration: object): void }
  }
}

/** All that Scalar knows except curl, fetch and Python's requests. */
const HIDDEN_CLIENTS = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'julia', 'kotlin', 'node', 'objc'],
  ...['ocaml', 'php', 'powershell', 'r', 'ruby', 'rust', 'swift'],
  ...['js/axios', 'js/jquery', 'js/ofetch', 'js/xhr', 'shell/httpie', 'shell/wget'],
  ...['python/python3', 'python/aiohttp', 'python/httpx_sync', 'python/httpx_async'],
]

const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  // The header above has one, for the whole page.
  hideDarkModeToggle: true,
  forceDarkModeState: theme.value,
  hiddenClients: HIDDEN_CLIENTS,
  // Scalar calls them Models, which means something else here.
  modelsSectionLabel: 'Schemas',
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  metaData: { title: 'Decider: API reference' },
}

followSystemTheme()
const header = document.getElementById('header')
if (header !== null) render(<Header here="/docs" />, header)

if (window.Scalar !== undefined) {
  window.Scalar.createApiReference('#reference', configuration)
  // Scalar takes its theme once, from the configuration, and writes it here.
  effect(() => {
    document.body.classList.toggle('dark-mode', theme.value === 'dark')
    document.body.classList.toggle('light-mode', theme.value === 'light')
  })
} else {
  const told = document.createElement('p')
  told.role = 'alert'
  told.textContent =
    'The reference could not be loaded. Reload the page. For programs, the same API description is at /openapi.json'
  document.getElementById('reference')?.append(told)
}
