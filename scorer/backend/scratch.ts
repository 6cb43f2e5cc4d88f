/**
 * Shared memory that is used again. The collector does not count shared buffers as memory, so dropped ones would
 * pile up; these are as many as were ever in use at once.
 */
export class Scratch {
  private readonly free = new Map<number, SharedArrayBuffer[]>()

  /** At least so many bytes, holding whatever was there before. */
  take(bytes: number): SharedArrayBuffer {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, bytes)))
    return this.free.get(size)?.pop() ?? new SharedArrayBuffer(size)
  }

  give(buffer: SharedArrayBuffer): void {
    const size = buffer.byteLength
    const others = this.free.get(size)
    if (others) others.push(buffer)
    else this.free.set(size, [buffer])
  }
}
