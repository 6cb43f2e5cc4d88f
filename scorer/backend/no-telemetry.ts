// Unless told not to, onnxruntime reports to its maker: the machine, the model, how many runs there were, how long they
// took and the message of one that failed. It keeps reports that it could not send in the home folder. It reads the
// process's environment once, when it is loaded, so this module has to be imported before it. That must happen on the
// main thread: a worker's environment is a copy.
process.env.ORT_DISABLE_TELEMETRY = '1'
