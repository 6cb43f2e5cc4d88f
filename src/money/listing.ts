import { inTime } from '../in-time.ts'
import { present } from '../present.ts'
import type { DetailsBook } from './account-details.ts'
import type { Directory } from './directory.ts'
import type { Keyring } from './keyring.ts'

type Surroundings = {
  details: DetailsBook
  keys: Keyring
  directory: () => DurableObjectStub<Directory>
  /** Sets the account's alarm to come back to what is left undone. */
  wakeSoon: () => void
}

/** A directory that hangs must hold up neither the account nor whoever asked for the change. */
const DIRECTORY_ANSWERS_WITHIN_MS = 3_000

/** Enters the account and its keys in the directory, so that either can be found without knowing the account's id. */
export class Listing {
  readonly #around: Surroundings

  constructor(surroundings: Surroundings) {
    this.#around = surroundings
  }

  /** Whether the directory has yet to hear of the account, or of keys that it had before the directory listed keys. */
  get isDue(): boolean {
    const details = this.#around.details.current
    return details !== undefined && !(details.listed && details.keysListed)
  }

  async complete(): Promise<void> {
    if (!this.isDue) return
    this.#around.wakeSoon()
    try {
      await inTime(this.#enterUntilListed(), DIRECTORY_ANSWERS_WITHIN_MS)
    } catch {
      // The alarm tries again.
    }
  }

  /** False if the directory cannot be told of the key. */
  async addKey(keyId: string): Promise<boolean> {
    const { details, directory } = this.#around
    const { id } = details.current ?? {}
    if (id === undefined) return false
    return inTime(directory().enterKeys(id, [keyId]), DIRECTORY_ANSWERS_WITHIN_MS).then(
      () => true,
      () => false,
    )
  }

  /** Goes on even if nobody waits any longer, so that what is entered late does not replace what was entered since. */
  async #enterUntilListed(): Promise<void> {
    while (this.isDue) await this.#enter()
  }

  async #enter(): Promise<void> {
    const { details, keys, directory } = this.#around
    const { id, name, createdAt, closedAt = null, keysListed } = present(details.current, 'an account')
    await directory().enter({ id, name, createdAt, closedAt })
    if (!keysListed) {
      await directory().enterKeys(id, keys.ids())
    }
    // A change in the meantime has been entered on its own, perhaps before this was.
    const { name: nameNow, closedAt: closedNow = null } = present(details.current, 'an account')
    details.change({ listed: name === nameNow && closedAt === closedNow, keysListed: true })
  }
}
