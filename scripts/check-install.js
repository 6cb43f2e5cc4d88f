// Says what is missing before `npm run dev` and `npm test` fail for want of it. JavaScript, because it may be the Node
// that reads TypeScript.
if (/--no-(experimental-)?strip-types/.test(process.env.NODE_OPTIONS ?? ''))
  refuse('NODE_OPTIONS keeps Node from reading TypeScript: remove what ends in strip-types from it.')
if (!process.features.typescript)
  refuse(
    'This Node is too old to run Decider, and the one that `npm ci` brings is not there: run `npm ci --ignore-scripts=false`.',
  )
// Where its own Node is older than Vite supports, npm leaves out Vite's binaries without an error.
await import('vite').catch(() =>
  refuse('A part of Vite is missing: run `npm ci`, with Node 20.19, 22.12 or newer.'),
)

/** @param {string} why */
function refuse(why) {
  console.error(why)
  process.exit(1)
}
