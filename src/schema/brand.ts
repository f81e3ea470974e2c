import { premium } from '../upstream/endpoints/premium.ts'
import { checkArgs } from '../upstream/request.ts'
import { builder } from './builder.ts'
import { Node } from './entity.ts'
import { openDoor, payload } from './premium.ts'

/** A brand by its id; nothing is known of it, so nothing is asked. */
export const brandBy = (cmId: string) => {
  checkArgs(premium.brandAudience, { cmId })
  return { cmId }
}

const Brand = builder.objectRef<{ readonly cmId: string }>('Brand').implement({
  description: 'A brand.',
  interfaces: [Node],
  fields: (t) => ({
    cmId: t.exposeID('cmId', { nullable: false, description: "The service's id. Wire: brandId" }),
    audience: t.field({
      type: 'JSON',
      description: `Premium: 2 credits, payload as it came. Wire: ${premium.brandAudience.route}`,
      args: openDoor(t.arg),
      resolve: payload(premium.brandAudience),
    }),
  }),
})

builder.queryField('brand', (t) =>
  t.field({
    type: Brand,
    description: 'A brand, for its premium audience; the brand alone costs nothing.',
    args: { cmId: t.arg.id({ required: true, description: 'Id of the brand. Wire: brandId' }) },
    resolve: (_query, { cmId }) => brandBy(cmId),
  }),
)
