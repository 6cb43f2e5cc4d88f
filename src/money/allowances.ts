import type { Gate } from '../access/gate.ts'
import type { Tally } from '../access/meter.ts'
import type { Standing } from '../access/standing.ts'
import { inTime } from '../in-time.ts'
import type { Keyring } from './keyring.ts'
import type { Ledger } from './ledger.ts'

type Surroundings = {
  accountId: () => string | undefined
  keys: Keyring
  ledger: Ledger
  gates: DurableObjectNamespace<Gate>
  /** Sets the account's alarm to come back to what is left undone. */
  wakeSoon: () => void
}

/**
 * A Gate that has not answered by then counts as away, so that one that hangs does not hold up the other keys. What it
 * still does is harmless: news has versions, and a hand-over is booked once.
 */
const GATE_ANSWERS_WITHIN_MS = 3_000

/**
 * Each live key holds an allowance, and all allowances together never exceed the balance: as long as no key has
 * spent its own, the money cannot have run out, however late the keys hand over. A key that has spent its allowance
 * hands over at once; then all are asked to, and what is left is shared out anew.
 */
export class Allowances {
  readonly #around: Surroundings
  #sharing: Promise<void> | undefined
  #shareAgain = false
  #collecting = false

  constructor(surroundings: Surroundings) {
    this.#around = surroundings
  }

  /** Lets a key that has handed over go on with what nobody else holds. True if the balance must be shared out anew. */
  afterCharge(before: Standing, tally: Tally): boolean {
    const { keys, ledger } = this.#around
    const live = keys.live()
    const { balance } = ledger
    const heldByOthers = live.reduce((sum, key) => (key.id === before.keyId ? sum : sum + key.allowance), 0)
    const evenShare = Math.floor(balance / Math.max(1, live.length))
    keys.allow(before.keyId, Math.max(0, Math.min(evenShare, balance - heldByOthers)), balance > 0)
    // A revoked or expired key may hand over long after its allowance was shared out among the others.
    const spentAll = tally.nanodollars >= before.allowance || heldByOthers > balance
    return (balance <= 0 || spentAll) && !this.#collecting
  }

  /** Has every key hand over, then shares the balance out among them and tells their Gates. */
  share(): Promise<void> {
    this.#shareAgain = true
    this.#sharing ??= this.#shareUntilDone().finally(() => {
      this.#sharing = undefined
    })
    return this.#sharing
  }

  /** Tells every Gate that has not heard the latest. Returns the keys whose Gates could not be told yet. */
  async tell(): Promise<ReadonlySet<string>> {
    const { accountId, keys, gates, wakeSoon } = this.#around
    const unreached = new Set<string>()
    const id = accountId()
    if (id === undefined) return unreached
    const telling = keys.untold(id).map(async ({ hash, standing }) => {
      try {
        await inTime(gates.getByName(hash).adopt(standing), GATE_ANSWERS_WITHIN_MS)
        keys.told(standing.keyId, standing.version)
      } catch {
        unreached.add(standing.keyId)
      }
    })
    await Promise.all(telling)
    if (unreached.size > 0) wakeSoon()
    return unreached
  }

  async #shareUntilDone(): Promise<void> {
    while (this.#shareAgain) {
      this.#shareAgain = false
      await this.collect(this.#around.keys.live())
      await this.#spread()
    }
  }

  /** Has these keys hand over. Those that cannot will on their own. */
  async collect(keys: readonly { hash: string }[]): Promise<void> {
    const { gates } = this.#around
    this.#collecting = true
    await Promise.allSettled(
      keys.map(({ hash }) => inTime(gates.getByName(hash).handOverNow(), GATE_ANSWERS_WITHIN_MS)),
    )
    this.#collecting = false
  }

  async #spread(): Promise<void> {
    const { keys, ledger } = this.#around
    const live = keys.live()
    const balance = Math.max(0, ledger.balance)
    for (const key of live) keys.allow(key.id, Math.floor(balance / live.length), balance > 0)
    await this.tell()
  }
}
