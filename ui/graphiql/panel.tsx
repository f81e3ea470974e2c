import { Price } from './price.tsx'
import { Receipt } from './receipt.tsx'

/** The price tag: before a run what it would cost, after it what it did. */
export const Panel = () => (
  <section className="refrain-panel" aria-label="Credits">
    <h2>Credits</h2>
    <section aria-label="This operation" aria-live="polite">
      <h3>This operation</h3>
      <Price />
    </section>
    <section aria-label="Last run" aria-live="polite">
      <h3>Last run</h3>
      <Receipt />
    </section>
  </section>
)
