// The reference, drawn by Scalar from the document the service serves. Nothing is loaded from elsewhere.
declare global {
  interface Window {
    /** Comes in a file of its own, which may not have arrived. */
    Scalar?: { createApiReference(element: string, configuration: object): void }
  }
}

window.Scalar?.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  // Scalar's own word for them is Models, which here are something else.
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
    'The reference could not be loaded: reload the page. The same, for programs: /openapi.json'
  document.getElementById('reference')?.append(told)
}

export {}
