// Unless it is told not to, onnxruntime reports to its maker: the machine, the model, how many runs took how long and in
// what words one failed. What it could not send it keeps in the home folder. It looks once, when it is loaded, at the
// process's environment, so this is imported before it, on the main thread: a worker's environment is a copy.
process.env.ORT_DISABLE_TELEMETRY = '1'
