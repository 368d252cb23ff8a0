/* Tests compare what programs print. A terminal that wants colours has set them for all that run in it. */
delete process.env['FORCE_COLOR']
process.env['NO_COLOR'] = '1'
