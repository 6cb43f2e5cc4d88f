export const FieldError = ({ id, message }: { id: string; message: string | null }) =>
  message === null ? null : (
    <p class="field-error" id={id}>
      {message}
    </p>
  )
