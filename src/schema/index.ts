import { specifiedDirectives } from 'graphql'
import { builder } from './builder.ts'
import { publishPrices } from './cost.ts'
import { creditsDirective } from './credits-directive.ts'
import { tellNullability } from './nullability.ts'
import './artist.ts'
import './artist-stat.ts'
import './album.ts'
import './brand.ts'
import './charts/plat-a.ts'
import './charts/plat-b.ts'
import './charts/plat-d.ts'
import './charts/plat-e.ts'
import './charts/plat-f.ts'
import './charts/plat-g.ts'
import './charts/plat-u.ts'
import './credits.ts'
import './estimate.ts'
import './event-live.ts'
import './festival.ts'
import './look-up.ts'
import './node.ts'
import './playlist.ts'
import './premium.ts'
import './radio.ts'
import './search.ts'
import './suggestion.ts'
import './track.ts'
import './track-stat.ts'
import './venue.ts'
import './venue-event.ts'
import './venue-list.ts'

/** What clients see. */
export const schema = publishPrices(
  tellNullability(
    builder.toSchema({
      sortSchema: true,
      directives: [...specifiedDirectives, creditsDirective],
    }),
  ),
)
