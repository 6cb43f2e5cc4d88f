/** What to say of something that is fetched only once it is asked for. In Firefox only a reload helps. */
export const notLoaded = (what: string): string =>
  `${what} could not be loaded. Try again, or reload the page.`
