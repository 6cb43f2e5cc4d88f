// Real accounts for tests inside workerd, and the Gates of their keys.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { hashApiKey } from '../access/api-key.ts'
import { Gate } from '../access/gate.ts'
import type { Standing } from '../access/standing.ts'
import type { Account, KeyOrder } from '../money/account.ts'
import { newAccountId } from '../money/account-id.ts'
import { Directory } from '../money/directory.ts'

export const KEY_ORDER: KeyOrder = { kind: 'standard', name: 'k', expiresAt: null }

export const openAccount = async ({ verified = true } = {}) => {
  const id = newAccountId()
  const account = env.ACCOUNT.getByName(id)
  await account.open(id, 'Ada')
  if (verified) await account.verify()
  const newKey = async (order: Partial<KeyOrder> = {}) => {
    const made = await account.createKey({ ...KEY_ORDER, ...order })
    if (made?.kind !== 'created') throw new Error('no key')
    const hash = hashApiKey(made.key)
    return { key: made.key, keyId: made.id, hash, gate: env.GATE.getByName(hash) }
  }
  return { id, account, newKey }
}

export const balanceOf = async (account: DurableObjectStub<Account>): Promise<number | undefined> =>
  (await account.summary())?.balance

/** Asks a Gate to admit a request, settles it at this cost if it is admitted, and returns the kind of answer. */
export const spend = async (gate: DurableObjectStub<Gate>, costNanodollars: number) => {
  const admission = await gate.admit(10)
  if (admission.kind !== 'admitted') return admission.kind
  await gate.settle([{ reservation: admission.reservation, inputTokens: 10, costNanodollars }])
  return admission.kind
}

/** What a Gate has last heard about its key. */
export const standingIn = (gate: DurableObjectStub<Gate>) =>
  runInDurableObject(gate, (_, { storage }) => storage.kv.get<Standing>('standing'))

export const alarmOf = (object: DurableObjectStub<Account | Gate>) =>
  runInDurableObject(object, (_, { storage }) => storage.getAlarm())

/** Until it is restored, no Gate can be told of a key. */
export const gatesAway = () =>
  vi.spyOn(Gate.prototype, 'adopt').mockImplementation(() => {
    throw new Error('The Gate is away.')
  })

/** The answer to a call that hangs. */
export const never = () => new Promise<void>(() => {}) as unknown as undefined

/** Moves an account's stopped timers, which work only within it, to where what hangs counts as away. */
export const giveUpWhatHangs = (account: DurableObjectStub<Account>): Promise<void> =>
  runInDurableObject(account, () => {
    vi.advanceTimersByTime(3_000)
  })

/** Holds up the directory's next call of this name, which it carries out once it may pass. */
export const heldUpDirectory = (name: 'enter' | 'enterKeys') => {
  const { passes, letPass } = heldUp()
  const carryOut: (...entry: never[]) => void = Directory.prototype[name]
  const called = vi.spyOn(Directory.prototype, name).mockImplementationOnce(async function (
    this: Directory,
    ...entry: never[]
  ) {
    await passes()
    carryOut.apply(this, entry)
  } as never)
  return { called, letPass }
}

/** Holds up whatever waits for `passes()`. It looks again and again: a promise of another request would not wake it. */
export const heldUp = () => {
  let isHeldUp = true
  return {
    passes: async (): Promise<void> => {
      while (isHeldUp) await scheduler.wait(1)
    },
    letPass: (): void => {
      isHeldUp = false
    },
  }
}
