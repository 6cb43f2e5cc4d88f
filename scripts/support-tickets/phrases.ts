// What the made-up tickets are put together from.

type Team = 'billing' | 'shipping' | 'technical' | 'account'
export const teams: readonly Team[] = ['billing', 'shipping', 'technical', 'account']

export const products: readonly string[] = [
  'coffee grinder',
  'desk lamp',
  'air purifier',
  'smart thermostat',
  'robot vacuum',
  'bike light',
  'wireless headphones',
  'kitchen scale',
  'e-reader',
  'weather station',
]

export const issues: Readonly<Record<Team, readonly string[]>> = {
  billing: [
    'I was charged twice for order {order}.',
    'My card shows {amount} although the {product} was on sale for less.',
    'Could you send me an invoice with our VAT number for order {order}?',
    'I returned the {product} two weeks ago and the refund of {amount} has not arrived.',
    'The discount code from your newsletter was not taken off at checkout.',
    'There is a charge of {amount} on my statement that I do not recognise.',
    'I cancelled my subscription in March and you are still taking {amount} every month.',
    'The payment page declines my card, although my bank says nothing was blocked.',
    'I would like to pay order {order} by bank transfer instead of by card.',
    'The invoice for order {order} names the wrong company.',
    'You promised to match the lower price of the {product} and then billed the full one.',
    'Why was I asked to pay import tax of {amount} when the shop said all taxes were included?',
    'My gift card still has money on it, but the till says the balance is zero.',
    'The receipt for the {product} shows two items and I bought one.',
  ],
  shipping: [
    'Order {order} has been at the same depot for nine days.',
    'The parcel was marked as delivered and there is nothing at my door.',
    'The {product} came with a crushed box and a crack down one side.',
    'Please send order {order} to my office instead, I moved last week.',
    'The courier left my {product} in the rain.',
    'Half of order {order} is missing from the box.',
    'The tracking number you sent me does not exist.',
    'You sent a {product} in green, I had ordered the black one.',
    'When will the {product} be shipped? The page said three days and it has been twelve.',
    'The driver says nobody was home, but I waited all day.',
    'Can I pick order {order} up at the store rather than wait for the courier?',
    'My parcel went to a neighbour who does not exist.',
    'Do you deliver the {product} to islands, and how long would it take?',
    'The pickup point sent order {order} back before I could get there.',
  ],
  technical: [
    'The {product} switches itself off after about a minute.',
    'The app crashes as soon as I open the settings of my {product}.',
    'Since the last update the {product} no longer connects to Wi-Fi.',
    'The screen of the {product} stays black, although the light is on.',
    'Pairing fails with error 47 every time I try.',
    'The {product} makes a grinding noise and then stops.',
    'How do I reset the {product}? Holding the button does nothing.',
    'The battery of the {product} is empty after twenty minutes.',
    'Your website shows an empty page when I open my basket in Firefox.',
    'The {product} reports the wrong temperature, eleven degrees too low.',
    'Firmware 3.2 gets stuck at 80 percent and then starts over.',
    'The schedule I set for the {product} runs an hour late since the clocks changed.',
    'The export button in the app produces a file that cannot be opened.',
    'The {product} forgets all its settings whenever it is unplugged.',
  ],
  account: [
    'I cannot sign in: the page says my password is wrong, and the reset mail never comes.',
    'Please delete my account and all data you hold about me.',
    'I changed my phone number and can no longer receive the login code.',
    'Somebody signed in to my account from a city I have never been to.',
    'How do I change the email address of my profile?',
    'My account was locked after three attempts to sign in.',
    'I have two profiles by mistake, can you merge them?',
    'My name is spelled wrong in my profile and the field is greyed out.',
    'Please take me off your mailing list, the unsubscribe link goes nowhere.',
    'I would like to add my wife to our family membership.',
    'The two-factor app was on a phone that broke, so I am locked out.',
    'Can you send me a copy of the personal data stored about me?',
    'My membership level dropped from gold to basic overnight.',
    'The sign-up form says my address is already registered, but I never had a profile.',
  ],
}

type Mood = { level: 0 | 1 | 2; openings: readonly string[]; closings: readonly string[] }
export const moods: readonly Mood[] = [
  {
    level: 0,
    openings: [
      'Hello there,',
      'Good morning!',
      'Hi team, I hope you are well.',
      'Hello, a small question.',
      'Dear support,',
    ],
    closings: [
      'Thank you very much for your help!',
      'Many thanks and kind regards.',
      'No worries if it takes a moment.',
      'I am otherwise very happy with your shop.',
      'Thanks, you have always been great.',
    ],
  },
  {
    level: 1,
    openings: [
      'I am a little disappointed.',
      'This is the second time I have to write.',
      'Not what I expected from you.',
      'Sadly I have to complain.',
      'Hm, something went wrong again.',
    ],
    closings: [
      'I would have hoped for better.',
      'This is becoming tiresome.',
      'It would be nice if this worked for once.',
      'I am starting to regret my purchase.',
      'Please look into it properly this time.',
    ],
  },
  {
    level: 2,
    openings: [
      'This is absolutely unacceptable!',
      'I am beyond angry.',
      'What a disgrace of a company.',
      'Are you kidding me?!',
      'I have never been treated this badly anywhere.',
    ],
    closings: [
      'I am telling everyone I know to stay away from you!',
      'You will hear from my lawyer.',
      'Never again, you incompetent lot!',
      'I want to speak to a manager, this is outrageous!',
      'Shame on you all.',
    ],
  },
]

type Urgency = { urgent: boolean; phrases: readonly string[] }
export const urgencies: readonly Urgency[] = [
  {
    urgent: true,
    phrases: [
      'I need this solved today.',
      'I am leaving for the airport tonight, so please answer right away.',
      'The deadline is this afternoon.',
      'Please call me back within the hour.',
      'It is urgent, my guests arrive this evening.',
      'I cannot work at all until this is fixed.',
    ],
  },
  {
    urgent: false,
    phrases: [
      'There is no hurry.',
      'Whenever you find the time is fine.',
      'Next week is early enough.',
      'I am on holiday until the end of the month anyway.',
      'It can wait.',
      '',
    ],
  },
]
