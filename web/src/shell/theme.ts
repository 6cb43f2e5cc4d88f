// Light or dark as the system says, until someone chooses. Nothing is stored: the choice lasts as long as the tab, and
// goes along to another document in its address.
import { effect, signal } from '@preact/signals'

type Theme = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light')

const asked = new URLSearchParams(location.search).get('theme')
const brought: Theme | null = asked === 'light' || asked === 'dark' ? asked : null
let chosen = brought !== null

export const theme = signal<Theme>(brought ?? systemTheme())

/** An address that opens in the chosen theme. */
export const themed = (path: string): string => {
  const now = theme.value
  return chosen ? `${path}?theme=${now}` : path
}

export const toggleTheme = (): void => {
  chosen = true
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
}

export const followSystemTheme = (): void => {
  system.addEventListener('change', () => {
    if (!chosen) theme.value = systemTheme()
  })
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}
