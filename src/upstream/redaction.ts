import { isObject } from './envelopes.ts'
import { parseWhole } from './json.ts'
import { reworded } from './transport/came.ts'
import type { Outcome } from './transport/send.ts'
import type { Step } from './transport/step.ts'

/** What stands in place of what nobody else may read. */
const REDACTED = '[redacted]'

/** Members that hold a secret, or what somebody wrote of a person or is called on a platform. */
const WITHHELD = new RegExp(
  [
    '(token|secret|password|passphrase|authorization|api_?key|cookie|session|signature|credential)s?$',
    '^(booking_agent|press_contact|general_manager|owner_name|platE_user)$',
    '^(user_?(id|name)|(first|last|full)_?name|e_?mails?|phones?|phone_numbers?|address(es)?|contacts?)$',
  ].join('|'),
  'i',
)

/** In any text: bounded, so that a long one takes no longer than its length. */
const IN_TEXT: readonly (readonly [RegExp, string])[] = [
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g, REDACTED],
  [/\+\d[\d ().-]{6,20}\d/g, REDACTED],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, REDACTED],
  [/\b(bearer|basic)\s+[\w.~+/-]{8,}=*/gi, `$1 ${REDACTED}`],
  [/(:\/\/)[^\s/@"]{1,200}@/g, `$1${REDACTED}@`],
  [
    /([?&][\w.-]{0,40}(?:token|secret|signature|sig|key|password|credential|auth)[\w.-]{0,40}=)[^&#\s"]+/gi,
    `$1${REDACTED}`,
  ],
]

/** Deeper than any answer of the service; what lies below is not looked at, so it is not kept. */
const DEEPEST = 200

const FIGURE = /^[+-]?[\d.,]+$/

const redactText = (text: string): string =>
  FIGURE.test(text)
    ? text
    : IN_TEXT.reduce((all, [pattern, instead]) => all.replace(pattern, instead), text)

const redact = (value: unknown, isWithheld: boolean, depth: number): unknown => {
  if (depth > DEEPEST) return REDACTED
  if (typeof value === 'string') return isWithheld && value !== '' ? REDACTED : redactText(value)
  if (Array.isArray(value)) return value.map((item) => redact(item, isWithheld, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      redact(member, isWithheld || WITHHELD.test(name), depth + 1),
    ]),
  )
}

/** A body without secrets and without what tells of persons; no digit of its numbers is lost. */
const redactBody = (text: string): string => {
  try {
    return JSON.stringify(redact(parseWhole(text), false, 0))
  } catch {
    return redactText(text)
  }
}

const redacted = (outcome: Outcome): Outcome => {
  if ('error' in outcome) return outcome
  const { answer } = outcome
  try {
    return { answer: reworded(answer, redactBody(answer.text)) }
  } catch (error) {
    return { error }
  }
}

/** Takes out of each answer, before anybody reads it, what is not to be kept: what is shown is what is replayed. */
export const createRedaction =
  (next: Step): Step =>
  (request, caller, end) =>
    next(request, caller, (outcome) => end(redacted(outcome)))
