package io.tidegate.docs;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The README's picture: the calls that the lab's first scene answered in time, second by second, as bars of SVG. */
final class GoodputPicture {
    private static final Pattern CAPACITY = Pattern.compile("each: (\\d+) per second");
    private static final Pattern OFFERED = Pattern.compile("it gets (\\d+) per second");
    private static final Pattern SECONDS = Pattern.compile("second by second +(\\d[\\d ]*?) {2,}(\\d[\\d ]*)");
    private static final int WIDTH = 720;
    private static final int HEIGHT = 300;
    private static final int LEFT = 60;
    private static final int TOP = 60;
    private static final int BOTTOM = HEIGHT - 40;
    private static final int BAR = 42;
    private static final String GREY = "#8c959f";
    private static final String BLUE = "#1f6fc5";

    private final StringBuilder svg = new StringBuilder();
    private final int capacity;

    private GoodputPicture(int capacity) {
        this.capacity = capacity;
    }

    /** @param output the output of {@code ./tidegate lab bulkhead} */
    static String of(String output) {
        MatchResult seconds = find(SECONDS, output);
        int capacity = Integer.parseInt(find(CAPACITY, output).group(1));
        return new GoodputPicture(capacity)
                .draw(
                        numbers(seconds.group(1)),
                        numbers(seconds.group(2)),
                        find(OFFERED, output).group(1));
    }

    private static MatchResult find(Pattern pattern, String output) {
        return pattern.matcher(output)
                .results()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing like " + pattern + " in: " + output));
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.strip().split(" +")).map(Integer::valueOf).toList();
    }

    private String draw(List<Integer> without, List<Integer> with, String offered) {
        text(LEFT, 24, "font-size='15' font-weight='bold'", "Calls answered in time, in each second");
        text(LEFT, 43, "fill='#5f6670'", offered + " calls a second come; the service can carry " + capacity);
        int step = (WIDTH - LEFT - 20) / without.size();
        for (int second = 0; second < without.size(); second++) {
            int x = LEFT + step * second + (step - 2 * BAR) / 2;
            bar(x, without.get(second), GREY);
            bar(x + BAR, with.get(second), BLUE);
            text(x + BAR, BOTTOM + 18, "text-anchor='middle'", "second " + (second + 1));
        }
        add("<path d='M%1$s %2$sH%3$s' stroke='#24292f'/>".formatted(LEFT, BOTTOM, WIDTH - 20));
        add("<path d='M%1$s %2$sH%3$s' stroke='#24292f' stroke-dasharray='4 4'/>"
                .formatted(LEFT, y(capacity), WIDTH - 20));
        text(LEFT - 8, y(capacity) + 4, "text-anchor='end'", String.valueOf(capacity));
        text(LEFT - 8, BOTTOM + 4, "text-anchor='end'", "0");
        legend(430, GREY, "without");
        legend(520, BLUE, "with a bulkhead of Tidegate");
        return "<svg xmlns='http://www.w3.org/2000/svg' role='img' viewBox='0 0 %1$s %2$s' width='%1$s' height='%2$s'"
                        .formatted(WIDTH, HEIGHT)
                + " font-family='Helvetica, Arial, sans-serif' font-size='12' fill='#24292f'>\n"
                + "<title>Calls answered in time in each second, without and with a bulkhead</title>\n"
                + "<rect width='100%' height='100%' rx='6' fill='#f6f8fa'/>\n" + svg + "</svg>\n";
    }

    private int y(int calls) {
        return BOTTOM - (BOTTOM - TOP - 20) * calls / capacity;
    }

    private void bar(int x, int calls, String colour) {
        add("<rect x='%s' y='%s' width='%s' height='%s' fill='%s'/>"
                .formatted(x, y(calls), BAR - 2, BOTTOM - y(calls), colour));
        text(x + BAR / 2, y(calls) - 5, "text-anchor='middle'", String.valueOf(calls));
    }

    private void legend(int x, String colour, String name) {
        add("<rect x='%s' y='14' width='12' height='12' fill='%s'/>".formatted(x, colour));
        text(x + 17, 24, "", name);
    }

    private void text(int x, int y, String style, String text) {
        add("<text x='%s' y='%s'%s>%s</text>".formatted(x, y, style.isEmpty() ? "" : " " + style, text));
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }
}
