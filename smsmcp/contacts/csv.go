package contacts

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
)

const (
	maxCells = 200     // of a row; Google's export has about 90
	maxRow   = 1 << 16 // bytes of a row
	maxBreak = 30      // line breaks in a row: more is a quotation mark that nobody closed
)

// ReadCSV reads contacts from CSV (RFC 4180) in UTF-8, with commas, semicolons or tabs. The first row names the columns, in English or French:
// a name (or a given and a family name), numbers, aliases; the others are ignored. A cell may hold several numbers or aliases,
// parted by ; | or :::. Nothing is merged and no row is taken in part.
func ReadCSV(in io.Reader, region string) ([]Entry, []Refused) {
	r := reading{region: region}
	data, err := slurp(in)
	if err != nil {
		r.refuse(0, "", err)
		return nil, r.refused
	}
	var cols []column
	rows := reader(data, &cols)
	if rows == nil {
		r.refuse(1, "", badFile(lang.ImportNoHeader))
		return nil, r.refused
	}
	for {
		start := rows.InputOffset()
		record, err := rows.Read()
		if err == io.EOF {
			return r.entries, r.refused
		}
		var bad *csv.ParseError
		var at int
		if errors.As(err, &bad) {
			at = bad.StartLine
		} else {
			at, _ = rows.FieldPos(0)
		}
		if r.full(at) {
			return r.entries, r.refused
		}
		if bad != nil {
			r.refuse(at, "", badFile(lang.ImportBadRow))
			continue
		}
		r.row(at, bytes.TrimLeft(data[start:rows.InputOffset()], "\r\n"), record, cols)
	}
}

func (r *reading) row(at int, raw []byte, record []string, cols []column) {
	name, given, family := "", "", ""
	var aliases, numbers []string
	for i, cell := range record[:min(len(record), len(cols))] {
		cell = strings.Trim(cell, " ")
		switch cols[i] {
		case nameColumn:
			name = cell
		case givenColumn:
			given = cell
		case familyColumn:
			family = cell
		case aliasColumn:
			aliases = append(aliases, parts(cell)...)
		case numberColumn:
			numbers = append(numbers, parts(cell)...)
		}
	}
	if name == "" {
		name = strings.Trim(given+" "+family, " ")
	}
	switch {
	case len(raw) > maxRow || bytes.Count(raw, []byte("\n")) > maxBreak:
		r.refuse(at, name, badFile(lang.ImportLongRow))
	case !utf8.Valid(raw):
		r.refuse(at, name, badFile(lang.ImportNotUTF8))
	case strings.Trim(strings.Join(record, ""), " ") == "": // a row of empty cells, as spreadsheets leave them
	case len(record) > len(cols) && strings.Join(record[len(cols):], "") != "":
		r.refuse(at, name, badFile(lang.ImportColumns))
	default:
		r.take(at, name, aliases, numbers)
	}
}

// reader finds the separator by which the first row names the columns, and has read that row.
func reader(data []byte, cols *[]column) *csv.Reader {
	if i := bytes.IndexByte(data, '\n'); i > maxRow || i < 0 && len(data) > maxRow {
		return nil
	}
	for _, comma := range ",;\t" {
		rows := csv.NewReader(bytes.NewReader(data))
		rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = comma, -1, true
		header, err := rows.Read()
		if err != nil || len(header) > maxCells {
			continue
		}
		if *cols = columns(header); *cols != nil {
			return rows
		}
	}
	return nil
}

type column uint8

const (
	otherColumn column = iota
	nameColumn
	givenColumn
	familyColumn
	aliasColumn
	numberColumn
)

var headers = func() map[string]column {
	m := map[string]column{}
	for c, names := range map[column]string{
		nameColumn:   "name, full name, display name, contact, nom complet, nom affiché, nom d'affichage",
		givenColumn:  "given name, first name, prénom",
		familyColumn: "family name, last name, surname, nom de famille",
		aliasColumn:  "alias, aliases, nickname, nicknames, surnom, surnoms",
		numberColumn: "number, numbers, phone, phones, phone number, phone numbers, telephone, telephone number, mobile, mobile phone, cell, " +
			"cell phone, tel, numéro, numéros, numéro de téléphone, téléphone, téléphone mobile, cellulaire, portable, " +
			"home phone, primary phone, téléphone principal",
	} {
		for _, name := range strings.Split(names, ", ") {
			m[header(name)] = c
		}
	}
	return m
}()

func header(s string) string { return strings.Join(fold.Words(s), " ") }

// columns says what each column holds, or nil unless there are a name and a number. "Nom" is a family name beside a given name,
// and a whole name otherwise. "Phone 1 - Value" is Google's.
func columns(row []string) []column {
	out := make([]column, len(row))
	have := map[column]int{}
	nom := -1
	for i, cell := range row {
		h := header(cell)
		c := headers[h]
		if w := strings.Fields(h); len(w) == 3 && w[0] == "phone" && w[2] == "value" {
			c = numberColumn
		}
		if h == "nom" {
			nom = i
		}
		out[i] = c
		have[c]++
	}
	if nom >= 0 {
		out[nom] = nameColumn
		if have[givenColumn] > 0 {
			out[nom] = familyColumn
		}
		have[out[nom]]++
	}
	if have[nameColumn] > 1 || have[givenColumn] > 1 || have[familyColumn] > 1 || have[numberColumn] == 0 ||
		have[nameColumn]+have[givenColumn]+have[familyColumn] == 0 {
		return nil
	}
	return out
}

// parts splits a cell that may hold several numbers or aliases.
func parts(cell string) (out []string) {
	for _, p := range strings.FieldsFunc(strings.ReplaceAll(cell, ":::", ";"), func(r rune) bool { return r == ';' || r == '|' }) {
		if p = strings.Trim(p, " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}
