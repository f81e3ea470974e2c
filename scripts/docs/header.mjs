import { code, table } from './markdown.mjs'

/** What a client asks of one operation: as a header, in the document, or both. */
const WISHES = [
  ['X-Credits-Limit: 3', 'query Q @credits(limit: 3)', 'most credits of this operation'],
  [
    'Cache-Control: max-age=600',
    '@credits(maxAge: 600)',
    'greatest age of an answer, in seconds; `no-cache` buys it anew',
  ],
  [
    'Cache-Control: max-stale=86400',
    '@credits(maxStale: 86400)',
    'an answer past its freshness will do',
  ],
  [
    'Cache-Control: only-if-cached',
    '@credits(onlyIfCached: true)',
    'spend nothing: what is not held is null',
  ],
  ['', '@credits(priority: LOW)', 'on a field: given up first when the limit bites'],
  [
    'X-Credits-Plan: report',
    '',
    'tells the price in `extensions.creditPlan`; `only` tells it and runs nothing',
  ],
  [
    'X-Credits-Report: requests',
    '',
    'tells in `extensions.credits.requests` too what each endpoint was sent or spared; `off` leaves `extensions.credits` out',
  ],
]

const REQUEST = [
  ['Content-Type', '`application/json`, of a POST'],
  [
    'Accept',
    '`application/graphql-response+json`: a request that is refused as a whole has the status 400; `application/json`, `*/*` or no such header: 200. `text/html`: the explorer, where there is one. By their weights (`q`), and where those are alike in the order in which they are written; where nothing that is given is taken: 406, and nothing is spent. To who takes no JSON, or weighs it less, the same answer comes as one part of `multipart/mixed` or one event of `text/event-stream`',
  ],
  [
    'Authorization',
    '`Bearer` with the key of a client, where `CLIENTS_FILE` is set; with `FEDERATION_SECRET`, where that is set, it opens `_service` and `_entities`',
  ],
  [
    'X-Api-Key',
    'the key of a client, instead; beside the secret of a router, the client on whose behalf it asks',
  ],
  [
    'X-Request-Id',
    'names the request, in its answer and its errors: up to 64 letters, digits and `_.:-`; one is made up where none is sent',
  ],
  [
    'X-Forwarded-For',
    'from a proxy of `TRUST_PROXY`: whom it asks for; from anybody else it is not read',
  ],
  [
    'Origin',
    'of a browser: one of `CORS_ORIGINS` is told that its page may read the answer, any other nothing',
  ],
  [
    'Sec-Fetch-Site',
    'of a browser: a GET that is `cross-site` is refused with 403, unless its `Origin` is allowed, or it has a header that only scripts of an allowed one can send',
  ],
  [
    'Content-Length',
    'of a POST: over 100 kB is refused, and so is a longer body in pieces; what other methods bring along is not read',
  ],
  ['Content-Encoding', 'packed bodies are refused; send them as they are'],
  [
    'Accept-Encoding',
    '`br` or `gzip`, by their weights (`q`): answers of a kilobyte and more come packed, pages as `gzip`; with `identity;q=0` shorter ones too, and where nothing else is taken: 406',
  ],
  [
    'If-None-Match',
    'the `ETag` of an answer or a page that the client has: 304, without a body, where it is the same; `*`: where one was held, while one that is bought for it is sent',
  ],
]

const RESPONSE = [
  [
    'Content-Type',
    '`application/json`, `application/graphql-response+json`, `multipart/mixed` or `text/event-stream`, as was accepted',
  ],
  ['X-Request-Id', 'the name of the request, which errors repeat and the log knows'],
  ['Age', 'seconds since the oldest part of the answer was bought'],
  [
    'Cache-Control',
    '`max-age` until the part whose life ends first, `private` where a client was known by its key; `no-store` where the answer has errors or holds for this moment only, and for a client that is told no ages (`reports`)',
  ],
  [
    'Cache-Status',
    'RFC 9211: `hit` where all was held, with its `ttl`; `fwd=` and why where something was sent for',
  ],
  ['Retry-After', 'of a 503: seconds after which the same may succeed'],
  ['WWW-Authenticate', 'of a 401: `Bearer`'],
  ['Allow', 'of a 405: the method to use'],
  ['Location', 'of `/`: where the explorer is'],
  ['Access-Control-Allow-Origin', 'the origin that asked, where it is one of `CORS_ORIGINS`'],
  ['Access-Control-Allow-Credentials', 'beside it'],
  ['Access-Control-Expose-Headers', 'which of these scripts of such a page may read'],
  ['Access-Control-Allow-Methods', 'to the question that a browser asks before'],
  ['Access-Control-Allow-Headers', 'likewise'],
  ['Vary', 'what of a request changes the answer'],
  [
    'ETag',
    'weak: stands for the data of an answer, whatever is told of credits beside them; none where it has errors. Of a page: its revision',
  ],
  ['Content-Encoding', '`br` or `gzip`, as was accepted'],
  ['Content-Security-Policy', 'of a page: nothing is loaded from elsewhere'],
  ['X-Frame-Options', 'of a page: in no frame'],
  ['X-Content-Type-Options', 'of a page'],
  ['Referrer-Policy', 'of a page'],
]

const coded = (text) => (text === '' ? '' : code(text))
const named = (rows) => rows.map(([name, doc]) => [code(name), doc])

export const wishTable = () =>
  table(
    ['Header', 'In the document', ''],
    WISHES.map(([header, inside, doc]) => [coded(header), coded(inside), doc]),
  )

export const headerSections = () => [
  '## Headers of a request',
  'What an operation may cost, and how fresh its answer is to be; where header and document differ, the stricter holds:',
  wishTable(),
  'Where one of these `X-Credits-…` has another value, the request is refused, with the values that it may have, and nothing is spent; one of another name is not read. A `Cache-Control` may be from whoever handed the request on: directives that are not in the table, or whose value is no whole number of seconds, are ignored.',
  'All others that are read:',
  table(['Header', ''], named(REQUEST)),
  '## Headers of an answer',
  table(['Header', ''], named(RESPONSE)),
]
