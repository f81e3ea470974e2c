import type { Send } from '../../../src/upstream/transport/send.ts'
import { type Step, sending, when } from '../../../src/upstream/transport/step.ts'

/** A service that answers with promises, as the last step. */
export const stepping =
  (service: Send): Step =>
  (request, caller, end) =>
    when(
      () => service(request, caller),
      (answer) => end({ answer }),
      end,
    )

/** A concern of the transport before a service that answers with promises, and a promise of what comes of it. */
export const through = (concern: (next: Step) => Step, service: Send): Send =>
  sending(concern(stepping(service)))
