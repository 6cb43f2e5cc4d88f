import type { AutoReload, Reload } from './auto-reload.ts'

export type Profile = {
  id: string
  name: string
  createdAt: number
  verifiedAt: number | null
  /** Whether the directory lists it. */
  listed: boolean
  autoReload: AutoReload | null
  reload: Reload | null
  /** Who pays for reloads, as `Payments` identifies them. */
  payer: string | null
  payerPaidAt?: number
}

/** The profile of an account, kept on disk; undefined until the account is opened. */
export class ProfileBook {
  #profile: Profile | undefined
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
    this.#profile = kv.get<Profile>('profile')
  }

  get current(): Profile | undefined {
    return this.#profile
  }

  open(id: string, name: string, createdAt: number): void {
    const nothingYet = { verifiedAt: null, listed: false, autoReload: null, reload: null, payer: null }
    this.#keep({ id, name, createdAt, ...nothingYet })
  }

  change(changes: Partial<Profile>): void {
    if (this.#profile !== undefined) this.#keep({ ...this.#profile, ...changes })
  }

  #keep(profile: Profile): void {
    this.#kv.put('profile', profile)
    this.#profile = profile
  }
}
