import { useReducer } from 'preact/hooks'

type Props<Name extends string> = {
  label: string
  options: readonly { value: Name; text: string }[]
  value: Name
  onChange: (value: Name) => void
}

/** Two or three ways to see the same thing, as radio buttons that look like one control. */
export const Switch = <Name extends string>({ label, options, value, onChange }: Props<Name>) => {
  const [, showAgain] = useReducer((times: number) => times + 1, 0)
  const choose = (chosen: Name) => {
    onChange(chosen)
    // The browser has moved the mark already, whether or not `value` follows.
    showAgain(undefined)
  }
  return (
    <fieldset class="switch">
      <legend class="unseen">{label}</legend>
      {options.map(option => (
        <label>
          <input
            type="radio"
            name={label}
            checked={option.value === value}
            onChange={() => choose(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
