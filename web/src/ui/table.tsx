import type { ComponentChildren } from 'preact'

type Props = { caption: string; columns: readonly string[]; children: ComponentChildren }

/** Figures in rows. If they do not fit, the table scrolls, by keyboard too. */
export const Table = ({ caption, columns, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari does not focus scrolling areas by itself, so they could not scroll by keyboard.
  <section class="scroll" aria-label={caption} tabIndex={0}>
    <table class="data">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)
