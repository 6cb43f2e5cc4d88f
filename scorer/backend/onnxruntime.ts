// All code imports onnxruntime from here, so that its telemetry is off before it loads.
import './no-telemetry.ts'

// biome-ignore lint/style/noRestrictedImports: this is the one place
export { env, InferenceSession, Tensor } from 'onnxruntime-node'
