/** The attributes of a field that say whether it is faulty, and that the element with this id says why. */
export const faultyBy = (id: string, isFaulty: boolean) => ({
  'aria-invalid': isFaulty,
  'aria-describedby': isFaulty ? id : undefined,
})

type Props = { message: string | null; id?: string; role?: 'alert' }

/** Says below a field what is wrong with it; an alert if nothing else on the page announces it. */
export const FieldError = ({ message, ...rest }: Props) =>
  message === null ? null : (
    <p class="field-error" {...rest}>
      {message}
    </p>
  )
