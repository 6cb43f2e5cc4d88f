import type { WorkerStep } from './steps.ts'

/** Something that the engine did wrong, in our own words: onnxruntime's may quote what a run was given. */
export class EngineFault extends Error {
  readonly facts: { readonly what: string; readonly snapshot: string; readonly step?: WorkerStep['kind'] }
  constructor(facts: EngineFault['facts']) {
    super(facts.what)
    this.name = 'EngineFault'
    this.facts = facts
  }
}
