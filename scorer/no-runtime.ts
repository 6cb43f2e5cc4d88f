import { StartError } from './start-error.ts'

/** npm installs onnxruntime-node on Macs with Intel processors and beside musl, too, where it has nothing to load. */
export const noRuntime = (fault: unknown): never => {
  const { code, message } = Object(fault)
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_DLOPEN_FAILED') throw fault
  const [why] = String(message).split('\n')
  throw new StartError(
    `onnxruntime does not run on this machine (${process.platform}, ${process.arch}): ${why}. It runs on Linux with ` +
      'glibc 2.28 or newer (x64 or arm64) and on macOS 14 or newer with Apple silicon.',
  )
}
