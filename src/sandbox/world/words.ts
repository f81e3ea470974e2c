/** Raw material of invented names. */
export const ADJECTIVES =
  'Paper Glass Low Velvet Silver Hollow Crimson Static Quiet Golden Northern Electric Broken Distant Neon Wooden Salt Amber Lunar Marble Copper Frozen Second Narrow Drifting Painted Secret Winter Burning Plastic Weightless Saffron Tidal Ivory Restless Slow Violet Hidden Faded Wild Iron Cobalt Sleepless Tender Vacant Mirrored Ashen Patient Feral Borrowed'.split(
    ' ',
  )
export const NOUNS =
  'Lantern Orchard Tide Radio Harbour Engine Meadow Signal Compass Ribbon Canyon Sparrow Window Kestrel Avenue Letter Garden Mirror River Arcade Feather Cathedral Marigold Satellite Thistle Kingdom Carousel Ember Willow Anchor Cinema Lighthouse Parade Monsoon Pylon Juniper Atlas Comet Ferry Canopy Foxglove Terrace Quarry Bicycle Almanac Bonfire Terminal Heron Passage Archive'.split(
    ' ',
  )
export const FIRST =
  'Ada Nima Élodie Søren Łukasz Jon Mirela Tomás Ingrid Zoë Kofi Amaia Björg Noor Rafał Chloé Iván Sigrún Dario Þóra Maëlle Øystein Beyza Joaquín Anaïs Hana Marek Lúcia Teo Ngozi'.split(
    ' ',
  )
export const LAST =
  'Quill|Vell|Morrow|Åkerlind|Brandão|Vårgren|Ó Dálaigh|Pétursdóttir|Ñañez|Kowalczyk|Ferreira|Lindqvist|Okonjo|Tandberg|Marchetti|Østby|Şahinler|Dvořáček|Villanueva|Hallow|Castellane|Ruiz-Amaro|Weisskopf|Ibarra|Nakatomi|Harrow|Belmonte|Solheim|Achterberg|Fontaine|Rossby'.split(
    '|',
  )
export const VERBS =
  'Chasing Losing Leaving Counting Breaking Holding Painting Calling Crossing Following Naming Keeping Drowning Tracing Folding Haunting'.split(
    ' ',
  )
export const EMOJI = ['🌙', '🔥', '🦊', '💿', '🌊', '✨', '👩‍🎤', '🪩']

interface OwnScript {
  readonly latin: string
  readonly local: string
  readonly locale: string
}
/** Every head with every tail; a part is written `script latin`. */
const joined = (locale: string, between: string, heads: string, tails: string): OwnScript[] => {
  const parts = (list: string) =>
    list.split(',').map((part) => {
      const [local = '', latin = ''] = part.split(' ')
      return { local, latin }
    })
  return parts(heads).flatMap((head) =>
    parts(tails).map((tail) => ({
      latin: `${head.latin}${between}${tail.latin}`,
      local: `${head.local}${tail.local}`,
      locale,
    })),
  )
}
/** Names in their own script with their Latin form: put together from parts, nobody's. */
export const OWN_SCRIPT: readonly OwnScript[] = [
  ...joined(
    'ja',
    '',
    '青 Ao,月 Tsuki,星 Hoshi,雨 Ame,夏 Natsu,風 Kaze,森 Mori',
    '波 nami,影 kage,路 ji,灯 akari,音 oto,鳥 dori',
  ),
  ...joined(
    'ko',
    ' ',
    '하늘 Haneul,소라 Sora,바람 Baram,별 Byeol,구름 Gureum',
    '바다 Bada,나무 Namu,노래 Norae,등대 Deungdae',
  ),
  ...joined(
    'zh-Hans',
    ' ',
    '云 Yun,白 Bai,夜 Ye,山 Shan,远 Yuan',
    '灯 Deng,露 Lu,城 Cheng,河 He,影 Ying',
  ),
]
export const RIGHT_TO_LEFT = [
  ...['فرقة', 'صدى', 'ليل', 'طريق'].flatMap((head) =>
    ['النجم', 'المرفأ', 'القمر', 'الريح', 'المنارة'].map((tail) => `${head} ${tail}`),
  ),
  ...['להקת', 'קול', 'אור'].flatMap((head) =>
    ['הפנס', 'הנמל', 'הלילה', 'הרוח'].map((tail) => `${head} ${tail}`),
  ),
]

export const LABEL_WORDS = ['Records', 'Music', 'Recordings', 'Sound', 'Tapes', 'Discs']
export const HALL_WORDS = {
  stadium: 'Stadium',
  arena: 'Arena',
  amphitheater: 'Amphitheater',
  festival: 'Festival Grounds',
  theater: 'Theater',
  concert_hall: 'Concert Hall',
  club: 'Club',
} as const
