/** The same function, which keeps its latest answers. */
export const remembering = <Answer>(
  most: number,
  of: (question: string) => Answer,
): ((question: string) => Answer) => {
  const answers = new Map<string, Answer>()
  return question => {
    const known = answers.get(question)
    if (known !== undefined) return known
    const answer = of(question)
    // A Map keeps the order of insertion: the oldest answer goes first.
    const [oldest] = answers.keys()
    if (answers.size >= most && oldest !== undefined) answers.delete(oldest)
    answers.set(question, answer)
    return answer
  }
}
