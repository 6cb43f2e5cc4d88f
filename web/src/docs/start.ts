// The reference, drawn by Scalar from the document the service serves. Nothing is loaded from elsewhere.
declare global {
  interface Window {
    Scalar: { createApiReference(element: string, configuration: object): void }
  }
}

window.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  metaData: { title: 'Decider: API reference' },
})

export {}
