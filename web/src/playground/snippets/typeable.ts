/**
 * Code whose strings hold no control character, which JSON leaves some of. A shell that code is pasted into may take DEL
 * for the key that rubs out what is before it, such as a quotation mark's escape, and then runs the text as commands.
 */
export const typeable = (code: string): string =>
  code.replace(/[\x7f-\x9f]/g, control => `\\u00${control.charCodeAt(0).toString(16)}`)
