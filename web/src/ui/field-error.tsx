type Props = { message: string | null; id?: string; role?: 'alert' }

/** What is wrong with a field, below it; an alert where nothing else on the page tells it. */
export const FieldError = ({ message, ...rest }: Props) =>
  message === null ? null : (
    <p class="field-error" {...rest}>
      {message}
    </p>
  )
