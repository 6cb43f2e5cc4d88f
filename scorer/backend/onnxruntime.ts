// Where everybody takes onnxruntime from, so that it is not loaded before it was told to report nothing.
import './no-telemetry.ts'

// biome-ignore lint/style/noRestrictedImports: this is the one place
export { env, InferenceSession, Tensor } from 'onnxruntime-node'
