package har

import "testing"

func TestParseOrigin(t *testing.T) {
	for url, want := range map[string]origin{
		"http://Example.COM/Path":             {"http", "example.com"},
		"HTTPS://example.com:443?x=http://":   {"https", "example.com"},
		"http://example.com:443/":             {"http", "example.com:443"},
		"http://user:p@ss@a.example:80#x":     {"http", "a.example"},
		"http://a.example:/":                  {"http", "a.example"},
		"https://[2001:DB8::1]:8443/":         {"https", "[2001:db8::1]:8443"},
		`http://a.example\b`:                  {"http", "a.example"},
		"http:///path":                        {"http", ""},
		"data:text/html,<a href='http://x/'>": {"data", ""},
		"about:blank":                         {"about", ""},
		"blob:https://a.example/1":            {"blob", ""},
		"/a:b":                                {},
		"//a.example/":                        {},
		"1http://a.example/":                  {},
		"":                                    {},
	} {
		if got := parseOrigin(url); got != want {
			t.Errorf("%q: %+v, want %+v", url, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, c := range [][3]string{ // URL, base, result
		{"/x", "https://a.example/b/c?d=/e", "https://a.example/x"},
		{"x", "https://a.example/b/c?d=/e", "https://a.example/b/x"},
		{"x", "https://a.example", "https://a.example/x"},
		{"//b.example/x", "https://a.example/", "https://b.example/x"},
		{"http://b.example/", "https://a.example/", "http://b.example/"},
		{"/x", "", "/x"},
	} {
		if got := resolve(c[0], c[1]); got != c[2] {
			t.Errorf("%q at %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
