const PATHS = {
  fold: 'M7 4.5 12.5 10 7 15.5',
  up: 'M10 15.5v-11M5.5 9 10 4.5 14.5 9',
  down: 'M10 4.5v11M5.5 11l4.5 4.5L14.5 11',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  remove: 'm5.5 5.5 9 9m0-9-9 9',
  earlier: 'M12.5 4.5 7 10l5.5 5.5',
  later: 'M7.5 4.5 13 10l-5.5 5.5',
} as const

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
