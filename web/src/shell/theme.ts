// Light or dark as the system says, until someone chooses; the choice lasts as long as the tab.
import { effect, signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light')
let chosen = false

export const theme = signal<Theme>(systemTheme())

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
