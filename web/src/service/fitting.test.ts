import * as v from 'valibot'
import { expect, it } from 'vitest'
import { replyOf } from './client.ts'
import { fitting } from './fitting.ts'

const Account = v.object({ id: v.string() })
const answered = (text: string) =>
  fitting(
    replyOf(200, () => null, text, 5),
    Account,
  )

it('an answer of the form asked for is passed on', () => {
  expect(answered('{"id":"a","more":1}')).toMatchObject({ kind: 'ok', value: { id: 'a' } })
})

const WITH_STATUS = 'The service answered with status 200.'
const OTHER_FORM = 'The service answered in a form that this page does not know. Reload the page.'

it.each([
  ['{"id":1}', OTHER_FORM],
  ['{}', OTHER_FORM],
  ['[]', WITH_STATUS],
  ['<html>', WITH_STATUS],
])('an answer of any other form is told, by its status if it is no object: %s', (text, message) => {
  expect(answered(text)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'http_200', message, param: null },
  })
})
