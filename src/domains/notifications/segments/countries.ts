import { getAllTimezones } from 'countries-and-timezones';

/**
 * The country (ISO 3166-1, two letters) of each time zone that has one, by the zone's name in lower case: the first that the IANA
 * time zone database lists for the zone. Former names of zones are among them; UTC and its like are not.
 */
const COUNTRY_OF_ZONE: ReadonlyMap<string, string> = new Map(
  Object.values(getAllTimezones({ deprecated: true })).flatMap(({ name, countries }) =>
    countries[0] ? [[name.toLowerCase(), countries[0]] as const] : [],
  ),
);

/** The country of a time zone; undefined where it has none. */
export const countryOf = (zone: string): string | undefined => COUNTRY_OF_ZONE.get(zone.toLowerCase());

/** The zones, in lower case, of all countries that pass. */
export const zonesOf = (passes: (country: string) => boolean): readonly string[] =>
  [...COUNTRY_OF_ZONE].flatMap(([zone, country]) => (passes(country) ? [zone] : []));
