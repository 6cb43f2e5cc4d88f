// The reference, rendered by Scalar from the document the service serves. Nothing is loaded from elsewhere.
declare global {
  interface Window {
    /** Loaded from its own file, which may be missing. */
    Scalar?: { createApiReference(element: string, configuration: object): void }
  }
}

window.Scalar?.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  // Scalar calls them Models, which means something else here.
  modelsSectionLabel: 'Schemas',
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  metaData: { title: 'Decider: API reference' },
})

if (window.Scalar === undefined) {
  const told = document.createElement('p')
  told.role = 'alert'
  told.textContent =
    'The reference could not be loaded. Reload the page. For programs, the same API description is at /openapi.json'
  document.getElementById('reference')?.append(told)
}

export {}
