/** Sent when the feed is asked for while it is open: it goes to its top and reads what is new. */
export const HOME_AGAIN = 'tidings:home-again';
