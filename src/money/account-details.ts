import type { AutoReload, Reload } from './auto-reload.ts'

export type AccountDetails = {
  id: string
  name: string
  createdAt: number
  verifiedAt: number | null
  /** Absent or null while it is open. */
  closedAt?: number | null
  /** Whether the directory lists it as it is. */
  listed: boolean
  /** Absent in accounts that had keys before the directory listed keys, until it lists theirs. */
  keysListed?: true
  autoReload: AutoReload | null
  reload: Reload | null
  /** Who pays for reloads, as `Payments` identifies them. */
  payer: string | null
  payerPaidAt?: number
}

/** Not `details`: accounts that exist have it under this name. */
const STORED_AS = 'profile'

/** The details of an account, kept on disk; undefined until the account is opened. */
export class DetailsBook {
  #details: AccountDetails | undefined
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
    this.#details = kv.get<AccountDetails>(STORED_AS)
  }

  get current(): AccountDetails | undefined {
    return this.#details
  }

  open(id: string, name: string, createdAt: number): void {
    const nothingYet = { verifiedAt: null, listed: false, autoReload: null, reload: null, payer: null }
    this.#keep({ id, name, createdAt, keysListed: true, ...nothingYet })
  }

  change(changes: Partial<AccountDetails>): void {
    if (this.#details !== undefined) this.#keep({ ...this.#details, ...changes })
  }

  #keep(details: AccountDetails): void {
    this.#kv.put(STORED_AS, details)
    this.#details = details
  }
}
