import { premium } from '../upstream/endpoints/premium.ts'
import { checkArgs } from '../upstream/request.ts'
import { builder } from './builder.ts'
import { type Finder, Node } from './entity.ts'
import { findingOne } from './finding.ts'
import { openDoor, payload } from './premium.ts'

interface BrandSource {
  readonly cmId: string
}

/** Brands by their ids; nothing is known of one, so nothing is asked. */
export const brands: Finder<BrandSource, string> = {
  seek(cmId) {
    checkArgs(premium.brandAudience, { cmId })
    return { type: 'Brand', cmId }
  },
  find(cmId) {
    checkArgs(premium.brandAudience, { cmId })
    return { cmId }
  },
}

const Brand = builder.objectRef<BrandSource>('Brand').implement({
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
    resolve: findingOne(brands, ({ cmId }: { readonly cmId: string }) => cmId),
  }),
)
