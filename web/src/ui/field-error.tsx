/** The attributes of a field that say it is faulty while its `FieldError`, by its id, has a message. */
export const faultyBy = (id: string, message: string | null) => ({
  'aria-invalid': message !== null,
  'aria-describedby': message === null ? undefined : id,
})

type Props = { message: string | null; id?: string; role?: 'alert' }

/** Says below a field what is wrong with it; an alert if nothing else on the page announces it. */
export const FieldError = ({ message, ...rest }: Props) =>
  message === null ? null : (
    <p class="field-error" {...rest}>
      {message}
    </p>
  )
