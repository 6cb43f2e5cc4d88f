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

const reference = document.getElementById('reference')

/** Scalar is the next script: it has run, or failed to load, once the document is complete. */
const showReference = (): void => {
  // Scalar would take what it finds there for its own.
  reference?.replaceChildren()
  if (window.Scalar === undefined) {
    say(
      'alert',
      'The reference could not be loaded. Reload the page. For programs, the same API description is at /openapi.json',
    )
    return
  }
  window.Scalar.createApiReference('#reference', { ...configuration, forceDarkModeState: theme.value })
  // Scalar takes its theme once, from the configuration, and writes it here.
  effect(() => {
    document.body.classList.toggle('dark-mode', theme.value === 'dark')
    document.body.classList.toggle('light-mode', theme.value === 'light')
  })
}

const say = (role: 'alert' | 'status', text: string): void => {
  const said = document.createElement('p')
  said.className = 'loading'
  said.role = role
  said.textContent = text
  reference?.append(said)
}

say('status', 'Loading the reference …')
addEventListener('DOMContentLoaded', showReference)
