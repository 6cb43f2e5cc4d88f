import { describe, expect, it } from 'vitest'
import { commonestLabelCount, doubtsAbout, doubtsAboutBrier, doubtsAboutOffsets } from './doubts.ts'
import { judge, labelledRow, type Row } from './row.ts'

const OPTIONS = ['a', 'b', 'c']
/** A row whose answer is `answer`, in a state of its own unless one is given. */
const row = (answer: string, label: string, state = `state ${states++}`): Row =>
  labelledRow(
    state,
    { name: label, index: OPTIONS.indexOf(label) },
    OPTIONS.map(option => (option === answer ? 2 : 0)),
  )
let states = 0
const times = (count: number, make: () => Row): Row[] => Array.from({ length: count }, make)
const everyLabelRight = OPTIONS.flatMap(option => times(20, () => row(option, option)))

describe('the doubts about a fitted question', () => {
  it('are none where every option is a label and the answers are mostly right', () => {
    expect(doubtsAbout(everyLabelRight, 0.8, everyLabelRight)).toEqual([])
  })

  it('ask whether labels are swapped where the temperature is at its limit', () => {
    expect(doubtsAbout(everyLabelRight, 20, [])).toEqual([
      'the temperature is at its limit, because the labels contradict the answers: are they swapped?',
    ])
  })

  it('say that the answers are no better than always giving the commonest label, and not if they are', () => {
    const rows = (right: number) => [
      ...times(30, () => row('b', 'a')),
      ...times(5, () => row('a', 'b')),
      ...times(right, () => row('c', 'c')),
    ]
    expect(doubtsAbout(rows(30), 1, [])).toEqual([
      'the answers are right for 30 of 65 labels, no more than always giving the commonest one, which gets 30',
    ])
    expect(commonestLabelCount(rows(30))).toBe(30)
    expect(doubtsAbout([...rows(30), row('a', 'a'), row('b', 'b')], 1, [])).toEqual([])
  })

  it('say that only one answer is ever let through rightly, and what passes along with it', () => {
    const lean = [...times(30, () => row('a', 'a')), ...times(4, () => row('a', 'b'))]
    expect(doubtsAbout([...lean, ...everyLabelRight], 1, lean)).toEqual([
      'every right answer that is let through is the same one; of 44 with another label, 4 are let through wrongly',
    ])
  })

  it('count options that never occur among the labels', () => {
    const labelled = everyLabelRight.filter(({ label }) => label !== 'c')
    expect(doubtsAbout(labelled, 1, labelled)).toEqual(['options that never occur among the labels: 1 of 3'])
  })

  it('say of one label alone only that the others never occur: no answer could do better', () => {
    const one = times(60, () => row('a', 'a'))
    expect(doubtsAbout(one, 1, one)).toEqual(['options that never occur among the labels: 2 of 3'])
  })

  it('count states with different labels, but not those that repeat one', () => {
    const copies = ['a', 'b', 'a'].map(label => row('a', label, 'twice'))
    const repeated = times(2, () => row('c', 'c', 'repeated'))
    expect(doubtsAbout([...everyLabelRight, ...copies, ...repeated], 1, [])).toEqual([
      'states with more than one label: 1 of 62',
    ])
  })
})

describe('the doubts about copies and about the Brier score', () => {
  it('say of how many states the labels are, if more than half of them are copies', () => {
    const copies = (count: number) =>
      OPTIONS.flatMap(option => times(count, () => row(option, option, `of ${option}`)))
    expect(doubtsAbout([...everyLabelRight, ...copies(22)], 1, [])).toEqual([])
    expect(doubtsAbout([...everyLabelRight, ...copies(23)], 1, [])).toEqual([
      'copies prove nothing: its 129 labels are of only 63 different states',
    ])
    expect(
      doubtsAbout(
        times(3, () => row('a', 'a', 'alone')),
        0,
        [],
      ),
    ).toContain('copies prove nothing: its 3 labels are of only one state')
  })

  it('say by how much the Brier score rises, if it is worth a word', () => {
    expect(doubtsAboutBrier(0.17, 0.179)).toEqual([])
    expect(doubtsAboutBrier(0.17, 0.181)).toEqual([
      'calibration raises the Brier score from 0.170 to 0.181, out of fold: a few wrong labels among the surest answers can do that',
    ])
  })
})

describe('the doubts about offsets', () => {
  const judged = (...right: boolean[]) => right.map(is => judge(row(is ? 'a' : 'b', 'a'), 1))
  const answers = (count: number, is: boolean) => Array.from({ length: count }, () => is)
  /** A hundred answers of which 60 were right, until so many of these were lost and so many others won. */
  const changed = (lost: number, won: number) =>
    judged(
      ...answers(60 - lost, true),
      ...answers(lost, false),
      ...answers(won, true),
      ...answers(40 - won, false),
    )
  const without = changed(0, 0)

  it('are none where nothing changes, and where as many are won as lost but for chance', () => {
    expect(doubtsAboutOffsets(without, without)).toEqual([])
    // Of 25 fair coins, 17 or more show heads in 5.4% of all throws, and 18 or more in 2.2%. All of three do in 12.5%,
    // and all of five in 3.1%.
    expect(doubtsAboutOffsets(without, changed(17, 8))).toEqual([])
    expect(doubtsAboutOffsets(without, changed(3, 0))).toEqual([])
    expect(doubtsAboutOffsets(without, changed(5, 0))).toHaveLength(1)
  })

  it('say how many right answers they lose and win where more are lost than chance would', () => {
    expect(doubtsAboutOffsets(without, changed(18, 7))).toEqual([
      'offsets turn 18 right answers into wrong ones and 7 wrong ones into right ones, out of fold: fit this question without them',
    ])
    expect(doubtsAboutOffsets(changed(18, 7), without)).toEqual([])
  })
})
